
Bx0J È³;ÁÇAx½ïÄ;D¶»vÅ1HBÄyEGÄàFEÆn¦