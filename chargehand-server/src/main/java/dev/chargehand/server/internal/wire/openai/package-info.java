/** The wire of OpenAI's clients: models, chat completions and responses under {@code /v1}. */
@NullMarked
package dev.chargehand.server.internal.wire.openai;

import org.jspecify.annotations.NullMarked;
