/** Which version of an agent a run uses: {@link dev.chargehand.version.Version} and {@link dev.chargehand.version.Versions}. */
@NullMarked
package dev.chargehand.version;

import org.jspecify.annotations.NullMarked;
