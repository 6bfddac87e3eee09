/** Reads answers to what runs ask in the messages of their conversations. */
@NullMarked
package dev.chargehand.internal.engine.answer;

import org.jspecify.annotations.NullMarked;
