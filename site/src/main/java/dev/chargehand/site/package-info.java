/** Makes a site of the documents of this repository, and says what is wrong with them. Part of the build only. */
@NullMarked
package dev.chargehand.site;

import org.jspecify.annotations.NullMarked;
