//! The one voice of messages: lower case unless a name starts them, no full stop, something to do.

/// Words that are names, and keep their capital at the start.
const NAMES: [&str; 7] = ["DescribeConfigs", "Kafka", "Kafka's", "MirrorMaker", "MirrorMaker's", "OAUTHBEARER", "YAML"];

/// What is wrong with a sentence. `subject` is the name of what it is about, which may start it as it is.
pub(crate) fn complaint(sentence: &str, subject: Option<&str>) -> Option<String> {
    let first = sentence.split(' ').next().unwrap_or("");
    let starts_with_a_name = NAMES.contains(&first) || subject.is_some_and(|subject| sentence.starts_with(subject));
    let what = if sentence.trim().is_empty() {
        "is empty"
    } else if sentence.starts_with(char::is_uppercase) && !starts_with_a_name {
        "starts with a capital"
    } else if sentence.ends_with(['.', '!', '?', ':', ';', ',', ' ']) {
        "does not end with a word"
    } else if sentence.contains(". ") || sentence.contains('\n') {
        "is more than one sentence"
    } else {
        return None;
    };
    Some(format!("{sentence:?} {what}"))
}

#[test]
fn a_foreign_voice_is_heard() {
    for wrong in ["", "Write it", "write it.", "Kafka refuses it. Write another", "write it: ", "a\nb"] {
        assert!(complaint(wrong, None).is_some(), "{wrong}");
    }
    for right in ["write it", "Kafka refuses it; write another", "MirrorMaker's key is odd"] {
        assert_eq!(complaint(right, None), None);
    }
    assert_eq!(complaint("Orders.EU has 12 partitions", Some("Orders.EU")), None);
}
