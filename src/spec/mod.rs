//! The declared state: YAML as written, and what defaults and profiles make of it.
//!
//! Text in, [`Workspace`] and findings out: reads no file, no variable and no cluster.

mod workspace;

pub use workspace::{At, Connection, Day, Increase, Keys, Mirror, MirrorWish, Part, Template, Topic, Wanted, Workspace};
