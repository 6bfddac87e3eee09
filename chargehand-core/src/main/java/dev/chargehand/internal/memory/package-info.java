/** What runs recall before their model is called, and the work on memory after them. */
@NullMarked
package dev.chargehand.internal.memory;

import org.jspecify.annotations.NullMarked;
