//! The declared state: YAML as written, and what defaults and profiles make of it.
//!
//! Text in, [`Workspace`] and findings out: reads no file, no variable and no cluster.

mod connections;
mod layer;
mod load;
mod mirrors;
mod secrets;
mod settings;
mod shapes;
mod template;
mod topics;
mod values;
mod workspace;

pub use load::{Inputs, Loaded, load};
pub use shapes::{topics_schema, workspace_schema};
pub use template::{Variable, unset_variables};
pub use workspace::{At, Connection, Day, Increase, Keys, Mirror, MirrorWish, Part, Template, Topic, Wanted, Workspace};
