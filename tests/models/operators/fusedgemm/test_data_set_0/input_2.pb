Binput_2Jcxm¾éí¾
6Ö>¾td¿·É¹=