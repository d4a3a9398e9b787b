//! The declared state: YAML as written, and what defaults and profiles make of it.
//!
//! Text in, [`Workspace`] and findings out: reads no file, no variable and no cluster.

mod acknowledge;
mod connections;
mod files;
mod guards;
mod layer;
mod load;
mod merge;
mod mirrors;
mod patterns;
mod secrets;
mod settings;
mod shapes;
mod template;
mod topics;
mod values;
mod workspace;

pub use files::{FilePattern, FileSelection, file_selection};
pub use load::{Inputs, Loaded, load};
pub use shapes::{overlay_schema, topics_schema, workspace_schema};
pub use template::{Variable, unset_variables};
pub use workspace::{
    ACKNOWLEDGED_CONFIGS, Absent, Acknowledgement, At, Bounds, Change, Connection, CopyWish, Day, DriftIgnore, DriftSettings, Keys, Limits, Mirror, MirrorWish,
    Part, Patterns, Policy, ProfileAcknowledgement, Required, Scope, Template, Topic, Wanted, Workspace,
};
