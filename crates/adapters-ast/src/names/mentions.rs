//! Whether every mention of a name is one of what the set declares: behind a value or a path of which the text does not say
//! what it is, the same name may be another's, and so it may where a macro or a compiler makes a text of it.

use std::collections::BTreeMap;

use bailiwick_domain::SymbolKind;

use crate::language::Language;
use crate::outline::Outline;
use crate::scope::{Binding, bind};
use crate::spelling::{EXPRESSION_MACROS, QUALIFIED};
use crate::units;

use super::declared::Declaration;
use super::guards::{ancestors, declaration};
use super::is_name;

/// A declaration of the name in a text.
struct Owner {
    /// The type that it is a member of.
    holder: Option<Holder>,
    is_data: bool,
}

struct Holder {
    at: usize,
    size: usize,
    name: String,
}

/// What all the texts say of the name.
struct Set {
    /// Whether it is declared as no member of a type.
    is_free: bool,
    /// Whether it is declared as something that is not called.
    is_data: bool,
    /// The whole paths of its declarations (Java).
    paths: Vec<String>,
}

/// Whether no mention of the name in these texts may be that of something else.
pub(super) fn are_own<'o, 't: 'o>(texts: impl Iterator<Item = &'o Outline<'t>>, name: &str) -> bool {
    let texts: Vec<_> = texts.map(|text| Mentions::of(text, name)).collect();
    let is_free = texts.iter().flat_map(|text| &text.owners).any(|owner| owner.holder.is_none());
    let is_data = texts.iter().flat_map(|text| &text.owners).any(|owner| owner.is_data);
    let paths = texts.iter().filter_map(|text| text.path(name)).collect();
    let set = Set { is_free, is_data, paths };
    texts.iter().all(|text| text.places.iter().all(|at| text.is_own(*at, &set)))
}

/// One text with the places of a name.
struct Mentions<'o, 't> {
    outline: &'o Outline<'t>,
    owners: Vec<Owner>,
    places: Vec<usize>,
    /// What the names in functions stand for, by function.
    bindings: BTreeMap<usize, Option<Vec<Binding>>>,
}

impl<'o, 't> Mentions<'o, 't> {
    fn of(outline: &'o Outline<'t>, name: &str) -> Self {
        let mut found = Self { outline, owners: Vec::new(), places: Vec::new(), bindings: BTreeMap::new() };
        if !outline.spend() {
            return found;
        }
        for (at, node) in outline.nodes.iter().enumerate() {
            if !(node.is_leaf() && node.text == name && (is_name(node.kind) || node.kind == QUALIFIED)) {
                continue;
            }
            if matches!(declaration(outline, at), Declaration::Private | Declaration::Public) {
                found.owners.push(owner(outline, at));
            } else {
                found.places.push(at);
            }
            if let Some(root) = found.function(at)
                && !found.bindings.contains_key(&root)
            {
                found.bindings.insert(root, bind(outline, root));
            }
        }
        found
    }

    /// The outermost function around a place.
    fn function(&self, at: usize) -> Option<usize> {
        let is_function = |at: &usize| {
            units::kind_of(self.outline.language, self.outline.kind(*at)) == Some(SymbolKind::Function)
        };
        ancestors(self.outline, at).into_iter().rev().find(is_function)
    }

    fn binding(&self, at: usize) -> &Binding {
        let root = self.function(at);
        root.and_then(|root| self.bindings.get(&root)?.as_ref()?.get(at - root)).unwrap_or(&Binding::Text)
    }

    /// Whether a mention is that of a variable of its function, or of what the set declares.
    fn is_own(&self, at: usize, set: &Set) -> bool {
        let around = ancestors(self.outline, at);
        if is_made_text(self.outline, at, &around) {
            return false;
        }
        if set.is_data && self.next(at) == "(" {
            return false;
        }
        if let Some(head) = self.head(at) {
            let is_unlike_others = !set.is_data && !set.is_free && is_of_many_words(self.outline.text(at));
            return self.is_own_path(at, &set.paths) || self.is_own_head(head, &around) || is_unlike_others;
        }
        if let Some(is_own) = self.is_own_key(at, &around) {
            return is_own;
        }
        match self.binding(at) {
            Binding::Local(_) => return true,
            // Held by the key of a value alone, which is looked at itself.
            Binding::Fixed(_) if self.outline.language == Language::Rust => return true,
            Binding::Fixed(_) | Binding::Filled(_) => return false,
            Binding::Text => {}
        }
        let is_implied = matches!(
            self.outline.language,
            Language::Java | Language::CSharp | Language::Cpp | Language::Ruby
        ) && self
            .owners
            .iter()
            .filter_map(|owner| owner.holder.as_ref())
            .any(|holder| holder.has(at) && !inherits_between(self.outline, &around, holder.at));
        !is_import(self.outline, &around) && (set.is_free || is_implied)
    }

    /// What stands before the dot or the colons before a name, where something does.
    fn head(&self, at: usize) -> Option<usize> {
        let accessor = before(self.outline, at)?;
        is_accessor(self.outline.text(accessor)).then(|| before(self.outline, accessor).unwrap_or(0))
    }

    fn next(&self, at: usize) -> &str {
        (at + 1..self.outline.nodes.len())
            .find(|next| self.outline.nodes.get(*next).is_some_and(|node| node.is_leaf()))
            .map_or("", |next| self.outline.text(next))
    }

    /// Whether this is the type that declares the name, or a value of it.
    fn is_own_head(&self, head: usize, around: &[usize]) -> bool {
        let outline = self.outline;
        let text = outline.text(head);
        if before(outline, head).is_some_and(|at| is_accessor(outline.text(at))) || self.imports_its_holder()
        {
            return false;
        }
        let holders: Vec<_> = self.owners.iter().filter_map(|owner| owner.holder.as_ref()).collect();
        let is_itself = match outline.language {
            Language::Python => matches!(text, "self" | "cls"),
            Language::JavaScript => text == "this" || (text == "self" && is_this_by_another_name(outline)),
            Language::Php => matches!(text, "$this" | "self" | "static"),
            _ => matches!(text, "self" | "Self" | "this"),
        };
        if is_itself {
            let within = holder(outline, around, head);
            return within.is_none() && holders.iter().any(|holder| holder.size == 0)
                || within.is_some_and(|within| {
                    holders.iter().any(|holder| {
                        holder.at == within.at
                            || outline.language == Language::Rust && holder.name == within.name
                    })
                });
        }
        let is_type = holders.iter().any(|holder| holder.name == text);
        let is_local = !matches!(self.binding(head), Binding::Text);
        (is_type && !is_local) || holders.iter().any(|holder| self.is_typed(head, &holder.name))
    }

    /// Whether a whole path is one of these.
    fn is_own_path(&self, at: usize, paths: &[String]) -> bool {
        let mut words = vec![self.outline.text(at)];
        let mut left = at;
        while let Some(accessor) = before(self.outline, left).filter(|at| self.outline.text(*at) == ".")
            && let Some(word) = before(self.outline, accessor)
        {
            words.insert(0, self.outline.text(word));
            left = word;
        }
        paths.contains(&words.join("."))
    }

    /// The package and the name of what this file of Java declares.
    fn path(&self, name: &str) -> Option<String> {
        let is_free = self.owners.iter().any(|owner| owner.holder.is_none());
        let at = self.outline.nodes.iter().position(|node| node.kind == "package_declaration")?;
        let words = self.outline.subtree(at).iter().filter(|node| node.is_leaf());
        let words: Vec<_> = words
            .map(|node| node.text.as_ref())
            .filter(|text| !matches!(*text, "package" | ";" | "."))
            .collect();
        (is_free && self.outline.language == Language::Java).then(|| format!("{}.{name}", words.join(".")))
    }

    /// Whether a module in this file of Rust has another type of the same name.
    fn imports_its_holder(&self) -> bool {
        let outline = self.outline;
        let names: Vec<_> =
            self.owners.iter().filter_map(|owner| owner.holder.as_ref()).map(|holder| &holder.name).collect();
        outline.language == Language::Rust
            && outline.nodes.iter().enumerate().filter(|(_, node)| node.kind == "use_declaration").any(
                |(at, _)| {
                    outline
                        .subtree(at)
                        .iter()
                        .any(|node| node.is_leaf() && names.iter().any(|name| node.text == **name))
                },
            )
    }

    /// Whether a variable is a parameter whose type is this (Go, Rust).
    fn is_typed(&self, variable: usize, name: &str) -> bool {
        let outline = self.outline;
        let Some(root) = self.function(variable) else { return false };
        let bound = self.binding(variable);
        if *bound == Binding::Text || !matches!(outline.language, Language::Go | Language::Rust) {
            return false;
        }
        let end = root + outline.subtree(root).len();
        (root..end).filter(|at| matches!(outline.kind(*at), "parameter" | "parameter_declaration")).any(
            |parameter| {
                let list = outline.child_by_field(parameter, "type");
                list.is_some_and(|list| is_only(outline, list, name))
                    && (parameter..parameter + outline.subtree(parameter).len()).any(|at| {
                        let field = outline.nodes.get(at).map_or("", |node| node.field);
                        matches!(field, "name" | "pattern") && self.binding(at) == bound
                    })
            },
        )
    }

    /// Whether a name is the key of a value of its own type, where it is a key.
    fn is_own_key(&self, at: usize, around: &[usize]) -> Option<bool> {
        let outline = self.outline;
        let field = outline.nodes.get(at).map_or("", |node| node.field);
        let parent = *around.first()?;
        let (whole, type_field): (&[&str], &str) = match (outline.language, outline.kind(parent)) {
            (Language::Rust, "field_initializer") if field == "field" => (&["struct_expression"], "name"),
            (Language::Rust, "shorthand_field_initializer") => (&["struct_expression"], "name"),
            (Language::Rust, "field_pattern") if field == "name" => (&["struct_pattern"], "type"),
            (Language::Rust, _) if outline.kind(at).starts_with("shorthand") => (&["struct_pattern"], "type"),
            (Language::Go, "literal_element" | "keyed_element") if self.next(at) == ":" => {
                (&["composite_literal"], "type")
            }
            (Language::CSharp, kind) if self.next(at) == ":" && kind != "conditional_expression" => {
                return Some(false);
            }
            (Language::CSharp, kind) if self.next(at) == "=" && kind.starts_with("with") => {
                return Some(false);
            }
            // What a module exports is known by that name.
            (_, "export_specifier") if self.next(at) != "as" => return Some(false),
            (Language::CSharp, "assignment_expression") if field == "left" => {
                let holder = around.get(1).map_or("", |at| outline.kind(*at));
                return holder.contains("initializer").then_some(false);
            }
            _ if outline.language.is_script() && outline.kind(at).starts_with("shorthand") => {
                return Some(false);
            }
            _ => return None,
        };
        let whole = around.iter().copied().find(|at| whole.contains(&outline.kind(*at)));
        let of = whole.and_then(|whole| outline.child_by_field(whole, type_field));
        let Some(of) = of else { return Some(false) };
        if outline.language == Language::Go && outline.kind(of).ends_with("map_type") {
            return None;
        }
        // The elements of a list say no type of their own.
        let is_direct = outline.language == Language::Rust
            || around.iter().filter(|at| Some(**at) > whole && outline.kind(**at) == "literal_value").count()
                == 1;
        let is_of = |name: &str| is_only(outline, of, name);
        let is_own = self.owners.iter().filter_map(|owner| owner.holder.as_ref()).any(|holder| {
            is_of(&holder.name)
                || is_of("Self") && self::holder(outline, around, at).is_some_and(|h| h.name == holder.name)
        });
        Some(is_direct && is_own)
    }
}

impl Holder {
    fn has(&self, at: usize) -> bool {
        (self.at..self.at + self.size).contains(&at)
    }
}

/// Whether a class between a place and the class around it may have a member of its own from elsewhere.
fn inherits_between(outline: &Outline<'_>, around: &[usize], holder: usize) -> bool {
    around.iter().copied().filter(|at| *at > holder).any(|at| {
        outline.kind(at) == "object_creation_expression"
            && outline.children(at).any(|child| outline.kind(child) == "class_body")
            || units::kind_of(outline.language, outline.kind(at)) == Some(SymbolKind::Type)
                && outline.children(at).any(|child| {
                    matches!(
                        outline.kind(child),
                        "superclass"
                            | "super_interfaces"
                            | "extends_interfaces"
                            | "base_list"
                            | "base_class_clause"
                    )
                })
    })
}

/// Whether something in the text makes texts of types and their members.
pub(super) fn prints_types(outline: &Outline<'_>) -> bool {
    const WORDS: &[&str] = &[
        "__dict__",
        "__getattr__",
        "__setattr__",
        "__slots__",
        "getattr",
        "hasattr",
        "pickle",
        "reflect",
        "setattr",
        "type_name",
        "type_name_of_val",
        "vars",
    ];
    const VERBS: &[&str] = &["%+v", "%#v", "%T", "{0."];
    !outline.spend()
        || outline.nodes.iter().filter(|node| node.is_leaf()).any(|node| {
            WORDS.contains(&node.text.as_ref()) || VERBS.iter().any(|verb| node.text.contains(verb))
        })
}

/// Whether something in the text asks what the type of a value is called.
pub(super) fn asks_for_types(outline: &Outline<'_>) -> bool {
    const ASKING: &[&str] = &[
        "GetType",
        "__class__",
        "__qualname__",
        "getCanonicalName",
        "getClass",
        "getSimpleName",
        "typeName",
    ];
    let leaves: Vec<&str> =
        outline.nodes.iter().filter(|node| node.is_leaf()).map(|node| node.text.as_ref()).collect();
    !outline.spend()
        || leaves.iter().any(|leaf| ASKING.contains(leaf))
        || leaves.windows(3).any(|words| matches!(words, ["constructor", ".", "name"] | [_, ".", "__name__"]))
        || leaves.windows(6).any(|words| matches!(words, ["typeof", "(", _, ")", ".", "FullName" | "Name"]))
}

/// Whether a method's name says so much that no foreign type is believed to have both it and the one that it changes
/// with: `min` and `max` stand in many types, `IsHelpCommand` in one.
pub(super) fn is_of_many_words(name: &str) -> bool {
    const MANY: usize = 3;
    let parts = name.split('_').filter(|part| !part.is_empty());
    let words = parts.map(|part| {
        let begins = part.chars().zip(part.chars().skip(1));
        1 + begins.filter(|(before, sign)| !before.is_uppercase() && sign.is_uppercase()).count()
    });
    words.sum::<usize>() >= MANY
}

fn is_accessor(text: &str) -> bool {
    matches!(text, "." | "->" | "::" | "?." | "?->" | "&." | "\\" | ".*" | "->*")
}

/// The leaf before a node.
fn before(outline: &Outline<'_>, at: usize) -> Option<usize> {
    (0..at).rev().find(|at| outline.nodes.get(*at).is_some_and(|node| node.is_leaf()))
}

/// Whether a type is this one, by value or by reference.
fn is_only(outline: &Outline<'_>, at: usize, name: &str) -> bool {
    let mut words = outline
        .subtree(at)
        .iter()
        .filter(|node| node.is_leaf() && !matches!(node.text.as_ref(), "*" | "&" | "mut"));
    words.next().is_some_and(|node| node.text == name) && words.next().is_none()
}

fn owner(outline: &Outline<'_>, at: usize) -> Owner {
    let around = ancestors(outline, at);
    let unit = around
        .iter()
        .copied()
        .find(|around| units::kind_of(outline.language, outline.kind(*around)).is_some());
    let is_function = unit.is_some_and(|unit| {
        let is_it = units::name_of(outline, unit)
            .is_some_and(|name| name.rsplit(['.', ':']).next().is_some_and(|last| last == outline.text(at)));
        let kind = units::kind_of(outline.language, outline.kind(unit));
        is_it && (kind == Some(SymbolKind::Function) || kind == Some(SymbolKind::Type))
    });
    let is_member = outline.kind(around.first().copied().unwrap_or(0)) == "member_expression";
    let is_variant = around.first().is_some_and(|up| outline.kind(*up) == "enum_variant");
    let is_data = !is_function
        && !is_variant
        && !is_member
        && !matches!(
            outline.language,
            Language::JavaScript | Language::TypeScript | Language::Tsx | Language::Python
        );
    Owner { holder: holder(outline, &around, at), is_data }
}

/// The type around a place that the place does not name.
fn holder(outline: &Outline<'_>, around: &[usize], at: usize) -> Option<Holder> {
    let is_script = outline.language.is_script();
    for up in around.iter().copied() {
        let kind = outline.kind(up);
        let size = outline.subtree(up).len();
        // `A.prototype.b = …`, and what stands in it.
        if is_script && kind == "assignment_expression" {
            let words: Vec<_> = outline.subtree(up).iter().filter(|node| node.is_leaf()).take(3).collect();
            if let [name, _, prototype] = words.as_slice()
                && prototype.text == "prototype"
            {
                return Some(Holder { at: 0, size: 0, name: name.text.to_string() });
            }
        }
        if outline.language == Language::Go && kind == "method_declaration" {
            let receiver = outline.child_by_field(up, "receiver")?;
            let name = outline.subtree(receiver).iter().find(|node| node.kind == "type_identifier")?;
            return Some(Holder { at: up, size, name: name.text.to_string() });
        }
        let is_type = units::kind_of(outline.language, kind) == Some(SymbolKind::Type)
            || matches!(kind, "class" | "class_body" | "impl_item" | "module");
        let field = if kind == "impl_item" { "type" } else { "name" };
        let named = outline.child_by_field(up, field);
        if is_type && kind != "class_body" && named != Some(at) && up < at {
            let name = named.map(|named| match outline.subtree(named) {
                [whole] => whole.text.to_string(),
                [_, first, ..] => first.text.to_string(),
                [] => String::new(),
            });
            match name {
                Some(name) => return Some(Holder { at: up, size, name }),
                None if kind == "module" => {}
                None => return Some(Holder { at: up, size, name: String::new() }),
            }
        }
    }
    None
}

/// `var self = this`, and nothing else of that name.
fn is_this_by_another_name(outline: &Outline<'_>) -> bool {
    let leaves: Vec<_> =
        outline.nodes.iter().filter(|node| node.is_leaf()).map(|node| node.text.as_ref()).collect();
    let mut assigned = leaves.windows(3).filter(|words| matches!(words, ["self", "=", _])).peekable();
    assigned.peek().is_some() && assigned.all(|words| matches!(words, [_, _, "this"]))
}

fn is_import(outline: &Outline<'_>, around: &[usize]) -> bool {
    around.iter().any(|at| {
        matches!(
            outline.kind(*at),
            "import_statement"
                | "import_from_statement"
                | "use_declaration"
                | "import_declaration"
                | "using_directive"
                | "namespace_use_declaration"
        )
    })
}

/// Whether a macro, or the compiler, may make a text of the name at a place.
fn is_made_text(outline: &Outline<'_>, at: usize, around: &[usize]) -> bool {
    match outline.language {
        Language::Rust => around.iter().any(|up| match outline.kind(*up) {
            "macro_invocation" => outline
                .child_by_field(*up, "macro")
                .is_none_or(|name| name != at && !EXPRESSION_MACROS.contains(&outline.text(name))),
            "macro_definition" | "attribute_item" | "inner_attribute_item" => true,
            _ => false,
        }),
        Language::CSharp => {
            around.iter().any(|up| {
                let callee = up.checked_sub(1).map_or("", |callee| outline.text(callee));
                outline.kind(*up) == "argument_list"
                    && (callee == "nameof" || callee.starts_with("ThrowIf") || callee.starts_with("Assert"))
            }) || {
                let value = around
                    .iter()
                    .map(|up| outline.kind(*up))
                    .find(|kind| !matches!(*kind, "member_access_expression" | "argument"));
                matches!(value, Some("anonymous_object_creation_expression" | "tuple_expression"))
            }
        }
        Language::C | Language::Cpp if is_given_outside_functions(outline, at, around) => true,
        Language::C | Language::Cpp => around.iter().any(|up| {
            outline.kind(*up) == "call_expression"
                && outline.child_by_field(*up, "function").is_some_and(|function| {
                    let name = outline.text(function);
                    function != at && (!name.chars().any(char::is_lowercase) || is_macro(outline, name))
                })
        }),
        _ => false,
    }
}

/// Whether the name is given to something that is called outside all functions: that is a macro.
fn is_given_outside_functions(outline: &Outline<'_>, at: usize, around: &[usize]) -> bool {
    let is_given = before(outline, at).is_some_and(|before| matches!(outline.text(before), "(" | ","));
    let is_known = around.iter().any(|up| {
        matches!(
            outline.kind(*up),
            "function_definition" | "initializer_list" | "init_declarator" | "field_declaration_list"
        )
    });
    is_given && !is_known
}

fn is_macro(outline: &Outline<'_>, name: &str) -> bool {
    outline.nodes.iter().enumerate().any(|(at, node)| {
        node.kind == "preproc_function_def"
            && outline.child_by_field(at, "name").is_some_and(|head| outline.text(head) == name)
    })
}
