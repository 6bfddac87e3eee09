/** What a store keeps for the memory of agents: vectors of passages, and working memory. */
@NullMarked
package dev.chargehand.store.memory;

import org.jspecify.annotations.NullMarked;
