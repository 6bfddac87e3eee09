/** The parts that commands share: the file of agents, models, providers, the store, and the agents built from them. */
@NullMarked
package dev.chargehand.cli.setup;

import org.jspecify.annotations.NullMarked;
