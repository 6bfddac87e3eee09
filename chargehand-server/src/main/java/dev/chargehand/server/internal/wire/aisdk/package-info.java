/** The wire of the AI SDK's chat interfaces, under {@code /ai-sdk}. */
@NullMarked
package dev.chargehand.server.internal.wire.aisdk;

import org.jspecify.annotations.NullMarked;
