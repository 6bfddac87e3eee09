/** The one loop and its five stages: compose, ask, open, act, decide. */
@NullMarked
package dev.chargehand.internal.loop;

import org.jspecify.annotations.NullMarked;
