/** Threads of conversations, as applications read and change them. */
@NullMarked
package dev.chargehand.internal.engine.threads;

import org.jspecify.annotations.NullMarked;
