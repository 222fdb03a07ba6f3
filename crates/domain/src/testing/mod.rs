//! Test support: mocks, in-memory ports, samples, generators and one contract suite per port. Only behind the feature `testing`.

pub mod arbitrary;
pub mod contract;
pub mod memory;
pub mod sample;

pub use crate::ports::{
    MockAllowanceStore, MockApprovalQueue, MockApprover, MockClock, MockCommandReader, MockDecisionLog,
    MockIdSource, MockIntentRepo, MockLedger, MockPauses, MockPendingStore, MockPolicySource,
    MockSessionStore, MockVcs, MockWorkspace, MockWorkspaceLock,
};
