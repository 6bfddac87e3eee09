/** Streams of responses: server-sent events, chunks, tool calls in fragments. */
@NullMarked
package dev.chargehand.provider.stream;

import org.jspecify.annotations.NullMarked;
