/** Builds a site of the documents of this repository with VitePress, after remark has checked them. Part of the build only. */
@NullMarked
package dev.chargehand.site;

import org.jspecify.annotations.NullMarked;
