//! Writes to source files in several languages, the same in every run: typical ones, and ones that were made to take long.

use std::fmt::Write as _;

use tree_sitter_language::LanguageFn;

/// One write of one file.
pub(crate) struct Write {
    pub(crate) what: &'static str,
    pub(crate) path: String,
    pub(crate) grammar: LanguageFn,
    pub(crate) before: String,
    pub(crate) after: String,
}

/// How a function is written in a language; `N` is its number.
struct Style {
    end: &'static str,
    grammar: LanguageFn,
    head: &'static str,
    function: &'static str,
    tail: &'static str,
}

const STYLES: [Style; 6] = [
    Style {
        end: "rs",
        grammar: tree_sitter_rust::LANGUAGE,
        head: "use crate::part::Part;\n\n",
        function: "/// Loads part N.\npub fn loadN(part: &Part, limit: usize) -> Option<usize> {\n    let countN = part.count(N);\n    if countN > limit {\n        return None;\n    }\n    let mut total = 0;\n    for item in part.items() {\n        total += item.size * countN;\n    }\n    Some(total + 10)\n}\n\n",
        tail: "",
    },
    Style {
        end: "ts",
        grammar: tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
        head: "import { Part } from './part';\n\n",
        function: "// Loads part N.\nexport function loadN(part: Part, limit: number): number | null {\n  const countN = part.count(N);\n  if (countN > limit) {\n    return null;\n  }\n  let total = 0;\n  for (const item of part.items()) {\n    total += item.size * countN;\n  }\n  return total + 10;\n}\n\n",
        tail: "",
    },
    Style {
        end: "py",
        grammar: tree_sitter_python::LANGUAGE,
        head: "from part import Part\n\n\n",
        function: "def loadN(part, limit=10):\n    \"\"\"Loads part N.\"\"\"\n    countN = part.count(N)\n    if countN > limit:\n        return None\n    total = 0\n    for item in part.items():\n        total += item.size * countN\n    return total + 10\n\n\n",
        tail: "",
    },
    Style {
        end: "java",
        grammar: tree_sitter_java::LANGUAGE,
        head: "package shop;\n\nimport shop.part.Part;\n\npublic class Loader {\n",
        function: "    /** Loads part N. */\n    public Integer loadN(Part part, int limit) {\n        int countN = part.count(N);\n        if (countN > limit) {\n            return null;\n        }\n        int total = 0;\n        for (Item item : part.items()) {\n            total += item.size() * countN;\n        }\n        return total + 10;\n    }\n\n",
        tail: "}\n",
    },
    Style {
        end: "go",
        grammar: tree_sitter_go::LANGUAGE,
        head: "package shop\n\nimport \"shop/part\"\n\n",
        function: "// LoadN loads part N.\nfunc LoadN(p *part.Part, limit int) (int, bool) {\n\tcountN := p.Count(N)\n\tif countN > limit {\n\t\treturn 0, false\n\t}\n\ttotal := 0\n\tfor _, item := range p.Items() {\n\t\ttotal += item.Size * countN\n\t}\n\treturn total + 10, true\n}\n\n",
        tail: "",
    },
    Style {
        end: "c",
        grammar: tree_sitter_c::LANGUAGE,
        head: "#include \"part.h\"\n\n",
        function: "/* Loads part N. */\nint loadN(struct part *part, int limit)\n{\n\tint countN = part_count(part, N);\n\tif (countN > limit)\n\t\treturn -1;\n\tint total = 0;\n\tfor (int i = 0; i < part->length; i++)\n\t\ttotal += part->items[i].size * countN;\n\treturn total + 10;\n}\n\n",
        tail: "",
    },
];

impl Style {
    fn functions(&self, numbers: impl IntoIterator<Item = usize>) -> String {
        numbers.into_iter().map(|number| self.function.replace('N', &number.to_string())).collect()
    }

    fn file(&self, count: usize) -> String {
        format!("{}{}{}", self.head, self.functions(0..count), self.tail)
    }

    fn write(&self, what: &'static str, before: String, after: String) -> Write {
        Write { what, path: format!("src/loader.{}", self.end), grammar: self.grammar, before, after }
    }

    /// The writes that agents make most: a number, a name, a new function, other layout, another order, a comment.
    fn changes(&self, count: usize) -> Vec<Write> {
        let text = self.file(count);
        let middle = count / 2;
        let name = format!("count{middle}");
        let reordered = format!(
            "{}{}{}{}",
            self.head,
            self.functions((middle..count).rev()),
            self.functions(0..middle),
            self.tail
        );
        let longer = format!("{}{}{}", self.head, self.functions(0..=count), self.tail);
        let own = self.functions([middle]);
        vec![
            self.write("a number", text.clone(), text.replace(&own, &own.replace("+ 10", "+ 11"))),
            self.write("a name", text.clone(), text.replace(&name, "amount")),
            self.write("a new function", text.clone(), longer),
            self.write("blank lines", text.clone(), text.replace("\n\n", "\n\n\n")),
            self.write("another order", text.clone(), reordered),
            self.write("a comment", text.clone(), text.replace("oads part", "oads the part")),
            self.write("a call gone", text.clone(), text.replace(&format!("count({middle})"), "size")),
        ]
    }
}

/// Typical writes: files of up to 30 KB.
pub(crate) fn typical() -> Vec<Write> {
    let sizes = [3, 8, 15, 30, 60, 85];
    STYLES.iter().flat_map(|style| sizes.iter().flat_map(|size| style.changes(*size))).collect()
}

/// Writes that were made to take long: as large as is looked at, nested as deep, or larger and deeper.
pub(crate) fn hostile() -> Vec<Write> {
    let mut writes = Vec::new();
    for style in &STYLES {
        writes.extend(style.changes(700));
        let (large, huge) = (style.file(2_600), style.file(6_000));
        writes.push(style.write("a large file", large.clone(), large.replace("+ 10", "+ 11")));
        writes.push(style.write("a large file renamed", large.clone(), large.replace("total", "sum")));
        writes.push(style.write("a file too large", huge.clone(), huge.replace("total", "sum")));
    }
    let style = &STYLES[1];
    for depth in [400, 2_000, 100_000] {
        let nested =
            |middle: &str| format!("const x = {}{middle}{};\n", "[".repeat(depth), "]".repeat(depth));
        writes.push(style.write("deep nesting", nested("1"), nested("2")));
    }
    let mut same = String::new();
    for number in 0..4_000 {
        let _ = writeln!(same, "f(a, a, a, {number});");
    }
    let other = same.replace("f(a, a, a,", "f(a, b, a,");
    writes.push(style.write("the same line again and again", same, other));
    writes
}
