/** Measurements of what the framework costs. */
@NullMarked
package dev.chargehand.bench;

import org.jspecify.annotations.NullMarked;
