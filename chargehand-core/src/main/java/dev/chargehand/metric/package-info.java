/** How runs stand in numbers. */
@NullMarked
package dev.chargehand.metric;

import org.jspecify.annotations.NullMarked;
