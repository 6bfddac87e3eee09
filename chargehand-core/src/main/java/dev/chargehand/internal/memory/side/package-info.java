/** Calls of models that memory needs besides the conversation. */
@NullMarked
package dev.chargehand.internal.memory.side;

import org.jspecify.annotations.NullMarked;
