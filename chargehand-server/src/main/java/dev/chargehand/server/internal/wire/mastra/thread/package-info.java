/** The wire of Mastra's client for JavaScript: threads that clients follow, and what they say on them. */
@NullMarked
package dev.chargehand.server.internal.wire.mastra.thread;

import org.jspecify.annotations.NullMarked;
