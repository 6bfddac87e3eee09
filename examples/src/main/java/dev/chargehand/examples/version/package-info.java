/** Versions of agents as an example. */
@NullMarked
package dev.chargehand.examples.version;

import org.jspecify.annotations.NullMarked;
