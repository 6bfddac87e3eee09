/** The tools that callers of Mastra's client may execute without an agent. */
@NullMarked
package dev.chargehand.server.internal.wire.mastra.tool;

import org.jspecify.annotations.NullMarked;
