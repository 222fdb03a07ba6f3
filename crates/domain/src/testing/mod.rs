//! Test support: mocks, in-memory ports, samples, generators and one contract suite per port. In-memory ports and samples are
//! there with the feature `memory`, the rest with `testing`.

#[cfg(feature = "testing")]
pub mod arbitrary;
#[cfg(feature = "testing")]
pub mod contract;
pub mod memory;
pub mod sample;

#[cfg(feature = "testing")]
pub use crate::ports::{
    MockAllowanceStore, MockApprovalQueue, MockApprover, MockClock, MockCommandReader, MockDecisionLog,
    MockIdSource, MockIntentRepo, MockLedger, MockLessonReader, MockPauses, MockPendingStore,
    MockPolicySource, MockSessionStore, MockTallies, MockVcs, MockWorkspace, MockWorkspaceLock,
};
