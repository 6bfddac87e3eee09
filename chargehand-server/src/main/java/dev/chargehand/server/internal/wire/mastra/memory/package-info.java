/** The wire of Mastra's client for JavaScript, under {@code /api}. */
@NullMarked
package dev.chargehand.server.internal.wire.mastra.memory;

import org.jspecify.annotations.NullMarked;
