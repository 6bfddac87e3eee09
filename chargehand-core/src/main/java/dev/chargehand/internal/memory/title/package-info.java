/** Titles of conversations that a model writes, in the work after a run. */
@NullMarked
package dev.chargehand.internal.memory.title;

import org.jspecify.annotations.NullMarked;
