/** Chooses what differs between kinds of run: their stages, and the events of their steps. */
@NullMarked
package dev.chargehand.internal.engine.kind;

import org.jspecify.annotations.NullMarked;
