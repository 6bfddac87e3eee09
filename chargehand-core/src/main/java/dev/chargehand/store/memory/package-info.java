/** What a store keeps for the memory of agents: vectors of passages, working memory, and observations. */
@NullMarked
package dev.chargehand.store.memory;

import org.jspecify.annotations.NullMarked;
