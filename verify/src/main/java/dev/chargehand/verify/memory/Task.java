package dev.chargehand.verify.memory;

/** What a process does. */
enum Task {
    /** Edit a working memory of a resource and one of a thread. */
    EDIT,
    /** Talk with the lead, in several conversations at once. */
    TALK,
    /** Fill threads, which others delete. */
    FILL
}
