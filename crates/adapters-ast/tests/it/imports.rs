//! Imports in another order (REQ 165).

use bailiwick_domain::MutationMethod::SameItems;

use crate::pairs::{is_evolution, is_refactor};

// REQ 165; threat C4: importing runs modules, and names stand for what was imported last.
#[test]
fn imports_that_run_something_or_hide_another_keep_their_order() {
    for (path, before, after) in [
        (
            "a.js",
            "import { x } from './a';\nimport './b';\nx();\n",
            "import './b';\nimport { x } from './a';\nx();\n",
        ),
        (
            "a.js",
            "import { u } from './a';\nimport './b';\nimport { x } from './a';\nx();\n",
            "import './b';\nimport { x } from './a';\nx();\n",
        ),
        ("a.ts", "import './b';\nexport * from './a';\n", "export * from './a';\nimport './b';\n"),
        ("a.js", "import {} from './a';\nf();\n", "f();\n"),
        ("a.js", "import {} from './a';\nimport './b';\n", "import './b';\nimport {} from './a';\n"),
        ("a.ts", "import { type T } from './a';\nf();\n", "f();\n"),
        ("a.js", "import './a';\nimport './b';\n", "import './b';\nimport './a';\n"),
        (
            "a.js",
            "'use client';\nimport { x } from './a';\nx();\n",
            "import { x } from './a';\n'use client';\nx();\n",
        ),
        (
            "a.py",
            "import sys\nsys.path.pop()\nimport foo\nfoo.x()\n",
            "import sys\nimport foo\nsys.path.pop()\nfoo.x()\n",
        ),
        ("a.py", "from a import x\nfrom b import x\nx()\n", "from b import x\nfrom a import x\nx()\n"),
        ("a.py", "from a import *\nfrom b import x\nx()\n", "from b import x\nfrom a import *\nx()\n"),
        ("a.py", "import a.b as c\nimport d.e as c\nc()\n", "import d.e as c\nimport a.b as c\nc()\n"),
    ] {
        is_evolution(path, before, after);
    }
    for (path, before, after) in [
        (
            "a.js",
            "import './c';\nimport { x } from './a';\nimport y from './b';\nx(y);\n",
            "import './c';\nimport y from './b';\nimport { x } from './a';\nx(y);\n",
        ),
        (
            "a.py",
            "import os\nimport a.b\nimport a.c\n\nprint(os, a)\n",
            "import a.c\nimport a.b\nimport os\n\nprint(os, a)\n",
        ),
    ] {
        is_refactor(path, SameItems, before, after);
    }
}
