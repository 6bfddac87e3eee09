/** Search over files. */
@NullMarked
package dev.chargehand.search;

import org.jspecify.annotations.NullMarked;
