/** Observations of the older messages of threads: who writes them, and how runs see them. */
@NullMarked
package dev.chargehand.internal.memory.observation;

import org.jspecify.annotations.NullMarked;
