/** Hooks: the contexts they receive and the decisions they return. */
@NullMarked
package dev.chargehand.hook;

import org.jspecify.annotations.NullMarked;
