/** Answers to what runs ask: those that models read in messages of conversations, and those that were taken lately. */
@NullMarked
package dev.chargehand.internal.engine.answer;

import org.jspecify.annotations.NullMarked;
