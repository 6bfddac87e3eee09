/** Classes that libraries call by reflection and no other code should use. */
@NullMarked
package dev.chargehand.jdbc.internal;

import org.jspecify.annotations.NullMarked;
