/** Clients of model providers: OpenAI-compatible chat completions, by name or one by one. */
@NullMarked
package dev.chargehand.models;

import org.jspecify.annotations.NullMarked;
