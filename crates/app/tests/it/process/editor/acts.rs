//! What a person does in the views: grants, allowed commands, drafts, reviews, and queries of the command line.
