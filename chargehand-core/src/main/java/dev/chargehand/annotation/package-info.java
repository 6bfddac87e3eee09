/** The annotations of the public API: what may change, and what a caller must not ignore. */
@NullMarked
package dev.chargehand.annotation;

import org.jspecify.annotations.NullMarked;
