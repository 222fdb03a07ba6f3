//! What is guarded by name, form or size, whatever a scope says.

pub mod breadth;
pub mod executable;
pub mod outbound;
pub mod protection;
pub mod secrets;
