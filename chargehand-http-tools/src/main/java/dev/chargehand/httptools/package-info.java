/** Parts that tools of operations and tools of programs share; not exported. */
@NullMarked
package dev.chargehand.httptools;

import org.jspecify.annotations.NullMarked;
