/** JSON by the streams of the JSON library, without its mapping, which takes long to load. */
@NullMarked
package dev.chargehand.internal.json;

import org.jspecify.annotations.NullMarked;
