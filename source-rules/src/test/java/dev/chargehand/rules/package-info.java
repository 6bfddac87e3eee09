/** Holds rules over the sources of all modules that no other tool of the build can see. */
@NullMarked
package dev.chargehand.rules;

import org.jspecify.annotations.NullMarked;
