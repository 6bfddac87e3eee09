/** Scenarios of OpenAI's client for Java. */
@NullMarked
package dev.chargehand.clients.openai;

import org.jspecify.annotations.NullMarked;
