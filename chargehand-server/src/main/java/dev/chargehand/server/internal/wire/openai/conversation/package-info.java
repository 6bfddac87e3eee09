/** Conversations of OpenAI's clients, which are threads here, and the forms of their items and lists. */
@NullMarked
package dev.chargehand.server.internal.wire.openai.conversation;

import org.jspecify.annotations.NullMarked;
