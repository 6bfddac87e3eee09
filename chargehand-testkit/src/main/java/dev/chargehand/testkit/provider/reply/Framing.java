package dev.chargehand.testkit.provider.reply;

/** Say how the end of a reply's body is announced on the wire. */
public enum Framing {
    /** {@code Transfer-Encoding: chunked}: each part is a chunk, the end is the empty chunk. */
    CHUNKED,
    /** {@code Content-Length}: the body is counted before the head is written. */
    LENGTH,
    /** {@code Connection: close}: the body ends with the connection. */
    UNTIL_CLOSE,
    /** No head and no framing: the reply's bytes are all that is written; the connection ends after them. */
    NONE
}
