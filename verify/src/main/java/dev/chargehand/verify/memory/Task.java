package dev.chargehand.verify.memory;

/** What a process does. */
enum Task {
    /** Edit a working memory of a resource and one of a thread. */
    EDIT,
    /** Talk with the lead, in several conversations at once. */
    TALK,
    /** Hold one conversation whose older messages are observed. */
    OBSERVE,
    /** Fill threads, which others delete. */
    FILL
}
