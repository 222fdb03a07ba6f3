//! What texts say in other languages: how binding they are, and names.

use bailiwick_domain::Strength;

use crate::project::{intents, one};

const KIRO: &str = ".kiro/specs/shop/requirements.md";

fn story(text: &str) -> Vec<bailiwick_domain::IntentRecord> {
    intents(&one(KIRO, text), &[], false)
}

// REQ 7: how binding a sentence is, in other languages
#[test]
fn req_007_strength_is_read_in_other_languages() {
    let table = [
        ("系统必须保存", Some(Strength::Must)),
        ("系統必須保存", Some(Strength::Must)),
        ("保存しなければならない", Some(Strength::Must)),
        ("系统应保存", Some(Strength::Should)),
        ("保存すべきである", Some(Strength::Should)),
        ("用户可以保存", Some(Strength::May)),
        ("应用响应很快", None),
        ("系统可以保存,但必须询问", Some(Strength::May)),
        ("系统 MAY 保存，必须询问", Some(Strength::May)),
    ];
    for (text, strength) in table {
        let all = story(&format!("# X\n\n### 需求 1\n\n1. {text}\n"));
        assert_eq!(all[0].requirements[0].strength, strength, "{text}");
    }
}

// REQ 7: names of features and stories in other languages
#[test]
fn req_007_names_are_found_in_other_languages() {
    let all = story(
        "# 需求文档\n\n### 需求 1\n\n**用户故事：** 作为顾客，我想要用卡支付，以便不带现金\n\n1. 系统必须收卡\n",
    );
    assert_eq!((all[0].name.as_str(), all[1].name.as_str()), ("Shop", "用卡支付"));
    let all = story("# 要件定義書\n\n### 要件 1\n\n**ユーザーストーリー:** カードで払う\n\n1. 払えること\n");
    assert_eq!((all[0].name.as_str(), all[1].name.as_str()), ("Shop", "カードで払う"));
    let all = story("# Requirements\n\n### Requirement 1\n\n1. It SHALL take cards\n");
    assert_eq!(all[1].name, "It SHALL take cards");
}
