/** Readers of the events of a run that any process executes. */
@NullMarked
package dev.chargehand.internal.engine.watch;

import org.jspecify.annotations.NullMarked;
