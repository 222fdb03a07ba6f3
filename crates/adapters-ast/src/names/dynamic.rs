//! Calls of what is found at run time by a text that is put together.

use crate::language::Language;
use crate::outline::Outline;

/// Whether something in a text calls a function, or a member of a class, by a name that it puts together: any may be the
/// one. A name that stands whole in a text is seen where the text is.
pub(super) fn calls_by_text(outline: &Outline<'_>, is_member: bool) -> bool {
    let words: &[&str] = match outline.language {
        Language::CSharp => &["CreateDelegate", "GetMethod", "GetMethods", "InvokeMember"],
        Language::Go => &["MethodByName", "rpc"],
        Language::Java => {
            &["findVirtual", "getDeclaredMethod", "getDeclaredMethods", "getMethod", "getMethods"]
        }
        Language::Php => &["call_user_func", "call_user_func_array", "method_exists"],
        Language::Ruby => &["__send__", "public_send", "send"],
        _ => &[],
    };
    !outline.spend()
        || outline.nodes.iter().any(|node| node.is_leaf() && words.contains(&node.text.as_ref()))
        || (0..outline.nodes.len()).any(|at| is_found_by_text(outline, at, is_member))
}

fn is_found_by_text(outline: &Outline<'_>, at: usize, is_member: bool) -> bool {
    let is_whole = |text: usize| {
        let nodes = outline.subtree(text);
        !nodes
            .iter()
            .any(|node| matches!(node.kind, "interpolation" | "template_substitution" | "identifier"))
            && nodes.first().is_some_and(|node| node.kind.contains("string") || node.kind == "number")
    };
    match (outline.language, outline.kind(at)) {
        (Language::TypeScript | Language::Tsx | Language::JavaScript, "call_expression") => {
            let callee = outline.child_by_field(at, "function");
            callee.filter(|callee| outline.kind(*callee) == "subscript_expression").is_some_and(|callee| {
                outline.child_by_field(callee, "index").is_none_or(|index| !is_whole(index))
            })
        }
        (Language::Python, "call") => {
            let asking = outline.text(at + 1);
            let is_asked = is_member && asking == "getattr";
            let values = outline.child_by_field(at, "arguments").filter(|_| is_asked);
            matches!(asking, "globals" | "methodcaller")
                || values
                    .is_some_and(|values| outline.children(values).nth(3).is_none_or(|name| !is_whole(name)))
        }
        (
            Language::Php,
            "member_call_expression" | "scoped_call_expression" | "nullsafe_member_call_expression",
        ) => outline.child_by_field(at, "name").is_none_or(|name| outline.kind(name) != "name"),
        _ => false,
    }
}
