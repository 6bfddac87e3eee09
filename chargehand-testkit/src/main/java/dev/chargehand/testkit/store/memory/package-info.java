/** Proves what a store keeps for the memory of agents; run by the contracts of the package above. */
@NullMarked
package dev.chargehand.testkit.store.memory;

import org.jspecify.annotations.NullMarked;
