/** Stored runs: the form of facts in a store, and the only writer of a run. */
@NullMarked
package dev.chargehand.internal.journal;

import org.jspecify.annotations.NullMarked;
