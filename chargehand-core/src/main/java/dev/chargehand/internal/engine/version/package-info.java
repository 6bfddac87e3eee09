/** The versions of agents that are saved in the store. */
@NullMarked
package dev.chargehand.internal.engine.version;

import org.jspecify.annotations.NullMarked;
