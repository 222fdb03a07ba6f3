//! Comments and docstrings that a program shows (REQ 165).

use bailiwick_domain::MutationMethod::SameTokens;

use crate::pairs::{is_evolution, is_refactor};

// REQ 165; threat C4: classes that are made by what is above them, and what is made by decorators, show their docstrings.
#[test]
fn a_docstring_that_something_may_show_counts() {
    for text in [
        "class A:\n    \"\"\"Old.\"\"\"\n    n = 3\n",
        "@dataclass\nclass A:\n    def f(self):\n        \"\"\"Old.\"\"\"\n",
        "class A(Base):\n    def f(self):\n        \"\"\"Old.\"\"\"\n",
        "def f():\n    \"\"\"Old.\"\"\"\n\n\ng.__doc__ = f.__doc__\n",
    ] {
        is_refactor("a.py", SameTokens, text, &text.replace("Old", "New"));
    }
    for text in [
        "class A(Base):\n    \"\"\"Old.\"\"\"\n    n = 3\n",
        "def f():\n    \"\"\">>> f(Old)\"\"\"\n    return 1\n",
        "class A(metaclass=M):\n    \"\"\"Old.\"\"\"\n    n = 3\n",
        "@tool\nclass A:\n    def f(self):\n        \"\"\"Old.\"\"\"\n",
        "@tool\ndef f():\n    def g():\n        \"\"\"Old.\"\"\"\n    return g\n",
        "def f():\n    \"\"\"Old.\"\"\"\n\n\nprint(f.__doc__); g.__doc__ = f.__doc__\n",
        "def f():\n    \"\"\"Old.\"\"\"\n\n\ng.__doc__ = parsed(f.__doc__)\n",
        "def f():\n    \"\"\"Old.\"\"\"\n\n\nhelp = g.__doc__ = f.__doc__\n",
    ] {
        is_evolution("a.py", text, &text.replace("Old", "New"));
    }
}
