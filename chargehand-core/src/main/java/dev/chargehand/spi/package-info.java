/** Interfaces that adapt a runtime to its environment: time, ids, the context of threads, instrumentation. */
@NullMarked
package dev.chargehand.spi;

import org.jspecify.annotations.NullMarked;
