/** Interfaces with which a runtime is adapted to its surroundings: time, ids, the context of threads. */
@NullMarked
package dev.chargehand.spi;

import org.jspecify.annotations.NullMarked;
